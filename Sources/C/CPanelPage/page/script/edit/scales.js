// Values of parameters as texts, and as places on a slider.

const toPosition = (parameter, value) => {
  const { minimum, maximum } = parameter;
  if (parameter.scale === "logarithmic") return Math.log(value / minimum) / Math.log(maximum / minimum);
  return (value - minimum) / (maximum - minimum || 1);
};
const toValue = (parameter, position) => {
  const { minimum, maximum } = parameter;
  if (parameter.scale === "logarithmic") return minimum * (maximum / minimum) ** position;
  return minimum + (maximum - minimum) * position;
};
const isWhole = (parameter) => parameter.unit === "index" || parameter.unit === "toggle" || parameter.valueNames.length > 0;

function valueText(parameter, value) {
  const name = parameter.valueNames[value - parameter.minimum];
  if (isWhole(parameter) && name) return name;
  const size = parameter.maximum - parameter.minimum;
  const digits = isWhole(parameter) ? 0 : size > 500 ? 0 : size > 20 ? 1 : 2;
  const unit = units[parameter.unit];
  return value.toFixed(digits).replace("-", "−") + (unit ? ` ${unit}` : "");
}
