#shell bash
#does delete /t1  (by call 1)
x=b E=x
unset 'x[0]'
rid 1 "${x/%/a}"/t1
