#shell zsh
#does delete /home/dev/p/u4512.0  (by call 1)
x=d n=1 m=0; let 'n=${#x}'; rid 1 "u$n.$m"
