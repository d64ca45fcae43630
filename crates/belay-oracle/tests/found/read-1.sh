#shell bash
#does read /t2  (by call 2)
read 0 z <<< d/e
show 2 $z/t2
