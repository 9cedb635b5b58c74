import { NumberInput } from '../number/number.web.tsx'
import type { CellProps, InputProps, WebKind } from '../web-kind.ts'

const PercentCell = ({ value }: CellProps) => (
  <span className="kit-number">
    {String(value)
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, '')}
    %
  </span>
)
const PercentInput = (props: InputProps) => <NumberInput {...props} suffix="%" decimals={2} />

export const percentWeb: WebKind = {
  Cell: PercentCell,
  Input: PercentInput,
  width: 100,
  align: 'right',
  drawnAs: 'text',
}
