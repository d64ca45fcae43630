#shell bash
#does delete /home/dev/p/b:d/t1  (by call 1)
IFS=:; x=b:d E=x
f() {
local x=${x:-d/e b}
rid 1 "$x"/t1
}
f
