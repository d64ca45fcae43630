#shell bash
#does write /home/dev/p/d/a.t3
y=a
ln -s d j; cd j
> "${y}".t3
