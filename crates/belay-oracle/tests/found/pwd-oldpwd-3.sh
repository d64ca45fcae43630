#shell bash
#does read /home/dev/t1  (by call 1)
cd &&cd w
show 1 "$PWD"/t1
