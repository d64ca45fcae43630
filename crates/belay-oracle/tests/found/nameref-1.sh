#shell bash
#does read /t2  (by call 2)
declare -n R=x
show 2 "$R"/t2
