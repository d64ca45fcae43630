#shell bash
#does delete /t2  (by call 2)
f() { x=a:~/s eval 'declare x; return'; }; f; rid 2 $x/t2
