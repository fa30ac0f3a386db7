print("portative")
