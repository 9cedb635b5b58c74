import { defineDict } from '#kit/resource/index.ts'

export const videoDictionaries = [
  defineDict({
    code: 'video_generation',
    label: { zh: '平台版本', en: 'Platform version' },
    entries: [
      { key: 'auto', zh: '自动识别', en: 'Detect automatically' },
      { key: 'g1', zh: 'WVP 2.6 至 2.7.2', en: 'WVP 2.6 to 2.7.2' },
      { key: 'g2', zh: 'WVP 2.7.3 及以后', en: 'WVP 2.7.3 and later' },
    ],
  }),
  defineDict({
    code: 'camera_state',
    label: { zh: '画面状态', en: 'Image status' },
    entries: [
      { key: 'ok', zh: '正常', en: 'OK', colour: 'success' },
      { key: 'offline', zh: '离线', en: 'Offline', colour: 'default' },
      { key: 'black', zh: '黑屏', en: 'Black screen', colour: 'error' },
      { key: 'frozen', zh: '画面冻结', en: 'Frozen image', colour: 'error' },
      { key: 'turned', zh: '被转动或遮挡', en: 'Moved or blocked', colour: 'warning' },
      { key: 'unknown', zh: '未检查', en: 'Not checked', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'camera_ptz',
    label: { zh: '云台', en: 'PTZ' },
    entries: [
      { key: '0', zh: '未知', en: 'Unknown' },
      { key: '1', zh: '球机', en: 'Dome' },
      { key: '2', zh: '半球', en: 'Half dome' },
      { key: '3', zh: '固定枪机', en: 'Fixed bullet' },
      { key: '4', zh: '遥控枪机', en: 'PTZ bullet' },
      { key: '5', zh: '遥控半球', en: 'PTZ half dome' },
      { key: '6', zh: '多目', en: 'Multi-lens' },
      { key: '7', zh: '分割多目', en: 'Split multi-lens' },
    ],
  }),
]
