import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  video_login_failed: {
    zh: '视频平台登录失败，请检查视频平台账号',
    en: 'The video platform does not let us in: look at its account',
  },
  video_away: { zh: '视频平台没有应答，请稍后再试', en: 'The video platform does not answer; try again soon' },
  video_refused: { zh: '视频平台拒绝：{message}', en: 'The video platform refused: {message}' },
  video_account_missing: {
    zh: '摄像头所在的视频平台账号已停用或删除',
    en: "The account of this camera's platform is gone or out of use",
  },
  video_place_of_platform: {
    zh: '该账号的接口地址在内部网络，{label}只能由平台修改',
    en: 'The address of this account is inside our network: only the platform changes its {label}',
  },
  video_credentials_missing: {
    zh: '请填写用户名和密码，或接口密钥',
    en: 'Give a user name with its password, or an API key',
  },
  camera_not_by_hand: {
    zh: '摄像头由视频平台的通道产生，不能手工新增',
    en: 'Channels of a video platform make cameras; none is added by hand',
  },
  camera_offline: { zh: '“{name}”离线', en: '"{name}" is offline' },
  camera_silent: { zh: '“{name}”点播超时，请检查设备网络', en: '"{name}" sends no picture; look at its network' },
  camera_no_stream: { zh: '媒体服务没有给出可播放的地址', en: 'The media server gave no address to play' },
  camera_fixed: { zh: '“{name}”没有云台', en: '"{name}" cannot be turned' },
  camera_held: { zh: '“{name}”正由 {user} 控制', en: '{user} is turning "{name}" just now' },
  camera_too_fast: { zh: '云台操作太频繁', en: 'Too many commands to this camera' },
  camera_no_voice: { zh: '“{name}”没有喇叭', en: '"{name}" has no loudspeaker' },
  camera_talking: { zh: '“{name}”正在对讲中（{user}）', en: '{user} is talking through "{name}"' },
  camera_no_record: { zh: '这一时刻没有录像', en: 'Nothing was recorded at that moment' },
  camera_span: { zh: '一次最多查看 {hours} 小时', en: 'At most {hours} hours at a time' },
  camera_watchers: { zh: '同时观看的画面已达上限 {max}', en: 'No more than {max} pictures at a time' },
  talk_needs_browser: { zh: '请用浏览器发起对讲', en: 'Talking is begun in a browser' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
