import { App } from 'antd'
import { unsavedWork } from '#kit/web/form/unsaved.ts'
import { useT } from '../words/index.ts'

/**
 * Does what leaves pages behind, after asking where unsaved work would be lost with them. No tabs means all of them.
 */
export function useLeave() {
  const t = useT()
  const { modal } = App.useApp()
  return (tabs: string[] | undefined, go: () => void) => {
    const lost = tabs ? tabs.flatMap((tab) => unsavedWork(tab)) : unsavedWork()
    if (!lost.length) return go()
    modal.confirm({
      title: t('tip'),
      content: t('unsaved.ask', { what: [...new Set(lost)].join(t('unsaved.and')) }),
      okText: t('unsaved.leave'),
      okButtonProps: { danger: true },
      onOk: go,
    })
  }
}
