import { Button } from 'antd'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { Row } from '../form/form-values.ts'
import { useLocalize } from '../language.tsx'
import { usePrinting } from '../list/print-rows.ts'
import { Icon } from '../theme/icon.tsx'

/** For pages and cards of one row that put their buttons together themselves. */
export function PrintButton({ resource, row, size }: { resource: Resource<any, any>; row: Row; size?: 'large' }) {
  const t = useLocalize()
  const printing = usePrinting(resource)
  return printing([row]).map(({ key, label, run }) => (
    <Button key={key} type="text" size={size} icon={<Icon name="printer" />} onClick={run}>
      {t(label)}
    </Button>
  ))
}
