#shell bash
#does write /home/dev/p/.t4
> $(x=$(show 3 a) &&echo ..).t4
