#shell bash
#does read /home/dev/p/0/home/dev/s/t1  (by call 1)
x=$?
show 1 "${x/%//home/dev/s}"/t1
