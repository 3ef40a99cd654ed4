// Nothing: that the module is there tells the adapters that they are on a Mac. They use none of it.
