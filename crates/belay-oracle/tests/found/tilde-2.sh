#shell bash
#does write /home/dev/p/~-.t2
> ~-.t2
