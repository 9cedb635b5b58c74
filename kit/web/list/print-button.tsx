import { Button } from 'antd'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { UntypedRow } from '../row/form-values.ts'
import { useLocalize } from '../base/language.tsx'
import { usePrintRowsActions } from './print-rows.ts'
import { Icon } from '../theme/icon.tsx'

/** Print buttons of one row, for pages and cards that place their buttons themselves. */
export function PrintRowButton({
  resource,
  row,
  size,
}: {
  resource: Resource<any, any>
  row: UntypedRow
  size?: 'large'
}) {
  const t = useLocalize()
  const printing = usePrintRowsActions(resource)
  return printing([row]).map(({ key, label, run }) => (
    <Button key={key} type="text" size={size} icon={<Icon name="printer" />} onClick={run}>
      {t(label)}
    </Button>
  ))
}
