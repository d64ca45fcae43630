#shell bash
#does delete /t2  (by call 2)
y=a E=x
readonly y
y=$x bash -c 'rid 2 "$y"/t2'
