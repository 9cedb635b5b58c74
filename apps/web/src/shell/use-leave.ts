import { App } from 'antd'
import { listUnsavedWork } from '#kit/web/form/unsaved.ts'
import { useShellTranslation } from '../words/index.ts'

/**
 * Does what leaves pages behind, after asking where unsaved work would be lost with them. No tabs means all of them.
 */
export function useConfirmUnsavedLeave() {
  const t = useShellTranslation()
  const { modal } = App.useApp()
  return (tabs: string[] | undefined, go: () => void) => {
    const lost = tabs ? tabs.flatMap((tab) => listUnsavedWork(tab)) : listUnsavedWork()
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
