import { NumberInput } from '../number/number.web.tsx'
import type { CellProps, InputProps, WebFieldKind } from '../web-kind.ts'

const PercentCell = ({ value }: CellProps) => (
  <span className="kit-number">
    {String(value)
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, '')}
    %
  </span>
)
const PercentInput = (props: InputProps) => <NumberInput {...props} suffix="%" decimals={2} />

export const percentWebKind: WebFieldKind = {
  Cell: PercentCell,
  Input: PercentInput,
  width: 100,
  align: 'right',
  drawnAs: 'text',
}
