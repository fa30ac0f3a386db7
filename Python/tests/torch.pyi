"""What the guide uses of torch, for type checkers."""

from typing import Any

class Tensor: ...

class utils:
    class data:
        class Dataset: ...

def from_numpy(array: Any) -> Tensor: ...
