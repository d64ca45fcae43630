#shell bash
#does write /home/dev/q.t2  (by call 2)
y=a E=x
g() { declare -g y=../q; }
f() {
local y=/home/dev/s
g
}
f
put 2 "$y".t2
