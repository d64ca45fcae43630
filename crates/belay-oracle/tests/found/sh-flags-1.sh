#shell sh
#does read /t2  (by call 2)
x="$-"
show 2 "$x"/t2
