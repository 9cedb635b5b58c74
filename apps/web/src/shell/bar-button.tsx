import type { IconName } from '#kit/base/icon-names.ts'
import type { ButtonHTMLAttributes } from 'react'
import { Icon } from '#kit/web/theme/icon.tsx'

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  icon: IconName
  label: string
  badge?: number | string
  ref?: React.Ref<HTMLButtonElement>
}

/**
 * Round button of the top bar. Further props, such as those a popover sets on its trigger, go to the button element.
 */
export function TopBarButton({ icon, label, badge, className = '', ...rest }: Props) {
  return (
    <button type="button" {...rest} className={`bar-button ${className}`} aria-label={label} title={label}>
      <Icon name={icon} />
      {!!badge && (
        <span className="bar-badge" aria-hidden="true">
          {badge}
        </span>
      )}
    </button>
  )
}
