import type { InputProps } from '#kit/fields/web-kind.ts'
import { Picker } from '#kit/web/picker.tsx'

const given = (value: unknown) => (value === -1 || value === undefined || value === null ? '' : String(value))

/** Goods of the shop the form names; of any before it names one. */
export function GoodsOfShop({ value, onChange, values, id, disabled, invalid, describedBy }: InputProps) {
  const shopId = given(values.shopId)
  return (
    <Picker
      to="goodInfo" value={given(value)} onChange={onChange} filter={shopId ? { shopId } : undefined} id={id} disabled={disabled} invalid={invalid} describedBy={describedBy}
      known={values.goodName ? { [given(value)]: String(values.goodName) } : undefined}
    />
  )
}

/** Batches of the goods the form names. */
export function BatchesOfGoods({ value, onChange, values, id, disabled, invalid, describedBy }: InputProps) {
  const goodId = given(values.goodId)
  return (
    <Picker
      to="storageBatch" value={given(value)} onChange={onChange} filter={{ goodId }} id={id} disabled={disabled || !goodId} invalid={invalid} describedBy={describedBy}
      known={values.batchNo ? { [given(value)]: String(values.batchNo) } : undefined}
    />
  )
}
