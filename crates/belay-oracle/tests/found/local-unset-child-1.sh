#shell bash
#does delete /tmp/k/t1  (by call 1)
f() {
local x
bash -c 'rid 1 "$x"/t1'
}
f
