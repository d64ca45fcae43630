#shell zsh
#does delete /home/dev/p/a  (by call 3)
x=(../q "${y/a/b}")
rid 3 $x*
