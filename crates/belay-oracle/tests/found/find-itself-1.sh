#shell bash
#does write /home/dev/p/d.t1
for x in $(find d 1); do
> "$x".t1
done
