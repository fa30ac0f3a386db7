print("makesounds")
