#shell bash
#does read /home/dev/p/1/t1  (by call 1)
pushd ||show 1 "$?"/t1
