import { Money } from '#kit/web/parts/money.tsx'
import { NumberInput } from '../number/number.web.tsx'
import type { InputProps, WebFieldKind } from '../web-kind.ts'

const MoneyInput = (props: InputProps) => <NumberInput {...props} prefix="¥" decimals={2} />

export const moneyWebKind: WebFieldKind = {
  Cell: ({ value }) => <Money value={value} />,
  Input: MoneyInput,
  width: 120,
  align: 'right',
  drawnAs: 'text',
}
