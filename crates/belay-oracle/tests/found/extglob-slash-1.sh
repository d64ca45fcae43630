#shell bash
#does delete /home/dev/p/@(a|d/e)  (by call 2)
shopt -s extglob globstar
rid 2 @(a|d/e)
