#include <kissfft/kiss_fft.h>
