#shell bash
#does read /home/dev/p/d/t2  (by call 2)
cd l
show 2 d/t2
