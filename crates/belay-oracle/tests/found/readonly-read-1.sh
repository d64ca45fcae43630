#shell bash
#does delete /home/dev/p/d/e  (by call 4)
y=~/s
readonly x=a; eval 'read y x y <<< '\''d/e b'\''' f
rid 4 "${y}"
