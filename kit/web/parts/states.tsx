import { Button } from 'antd'
import type { IconName } from '../../base/icon-names.ts'
import { ApiError } from '../http/http.ts'
import { Icon } from '../theme/icon.tsx'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'

type Props = { icon: IconName; title: string; hint?: string; children?: React.ReactNode; tone?: 'error' }

/** Shows why there is no content and what to do about it. */
export function EmptyStateNote({ icon, title, hint, children, tone }: Props) {
  return (
    <div className={`kit-state${tone ? ' kit-state-error' : ''}`} role={tone ? 'alert' : 'status'}>
      <Icon name={icon} className="kit-state-icon" />
      <p className="kit-state-title">{title}</p>
      {hint && <p className="kit-quiet">{hint}</p>}
      {children && <div className="kit-state-actions">{children}</div>}
    </div>
  )
}

/** Returns whether an error is a refusal (400) that would be the same if tried again. */
export const isRefusalError = (error: Error): boolean => error instanceof ApiError && error.status === 400

/** Shows an error in place of the content, with the server's message and a retry button, unless it is a refusal. */
export function ErrorNote({ title, error, retry }: { title: string; error: Error; retry: () => void }) {
  const t = useLocalize()
  if (isRefusalError(error)) return <EmptyStateNote icon="exclamation-circle" tone="error" title={error.message} />
  return (
    <EmptyStateNote icon="exclamation-circle" tone="error" title={title} hint={error.message}>
      <Button onClick={retry} icon={<Icon name="reload" />}>
        {t(words.retry)}
      </Button>
    </EmptyStateNote>
  )
}
