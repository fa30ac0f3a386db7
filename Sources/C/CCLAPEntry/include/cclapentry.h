/// The data symbol `clap_entry`, which Swift cannot define. It refers to the functions of the module PortativeCLAP.
#pragma once
