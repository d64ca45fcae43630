#shell bash
#does delete /t4  (by call 4)
for z do
read y <<< R
done
rid 4 "${y}"/t4
