#shell bash
#does write /home/dev/p/~-.t1
> ~-.t1
