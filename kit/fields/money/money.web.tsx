import { Money } from '#kit/web/parts/money.tsx'
import { NumberInput } from '../number/number.web.tsx'
import type { InputProps, WebKind } from '../web-kind.ts'

const MoneyInput = (props: InputProps) => <NumberInput {...props} prefix="¥" decimals={2} />

export const moneyWeb: WebKind = {
  Cell: ({ value }) => <Money value={value} />,
  Input: MoneyInput,
  width: 120,
  align: 'right',
  drawnAs: 'text',
}
