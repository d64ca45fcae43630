#shell bash
#does delete /tmp/k  (by call 2)
x="$(< l)"
rid 2 "${x#a}"
