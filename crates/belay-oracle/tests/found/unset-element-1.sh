#shell bash
#does read /t1  (by call 1)
unset 'y[0]'
show 1 "${y+a}"/t1
