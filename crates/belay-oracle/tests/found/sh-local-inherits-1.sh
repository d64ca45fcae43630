#shell sh
#does delete /home/dev/p/a  (by call 1)
x=a; f() { local x; rid 1 "$x"; }; f
