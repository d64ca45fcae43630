#shell bash
#does write /home/dev/p/.t1
export x=$((n))
> "${x/%e/d}".t1
