#shell bash
#does write /home/dev/p/~1.t1
> ~1.t1
