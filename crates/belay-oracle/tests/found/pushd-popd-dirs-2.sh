#shell bash
#does read /home/dev/p/a/t2  (by call 2)
pushd +1
show 2 a/t2
