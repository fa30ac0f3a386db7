// FluidSynthInstrument
