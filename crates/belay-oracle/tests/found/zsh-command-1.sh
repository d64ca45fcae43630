#shell zsh
#does delete /home/dev/p/a  (by call 1)
y=a E=x
command eval 'x=./c; y=b'
rid 1 "$y"
