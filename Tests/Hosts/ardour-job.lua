-- What ardour7-lua does for ardour.py. Its argument is a file that returns a table: rate, cycle, seconds to settle, and
-- one of list, create, export, play and lead. It ends with status 0 and the line "job: done".

local job = dofile (arg[1])

local function fail (...)
	-- Unbuffered: Ardour may crash as it exits.
	io.stderr:write (table.concat ({"job failed:", ...}, " "), "\n")
	os.exit (2)
end

AudioEngine:set_backend (job.backend or "None (Dummy)", "Unit-Test", "")
if not job.backend then
	AudioEngine:set_sample_rate (job.rate)
	if AudioEngine:set_buffer_size (job.cycle) ~= 0 then fail ("cycle", job.cycle) end
end

local function information (uri)
	local info = ARDOUR.LuaAPI.new_plugin_info (uri, ARDOUR.PluginType.LV2)
	if info:isnil () then fail ("Ardour does not list", uri) end
	return info
end

-- Without a session, Ardour crashes.
local function list (uris)
	create_session (job.folder, "session", job.rate)
	for _, uri in ipairs (uris) do print ("listed:", uri, information (uri).name) end
	close_session ()
end

local function save (session)
	if session:save_state ("", false, false, false, false, false) ~= 0 then fail ("session not saved") end
end

-- MIDI tracks with the plugin. A track that has audio outputs before its instrument sometimes crashes Ardour, so it
-- has a MIDI output at first.
local function create (plugin)
	local session = create_session (job.folder, "session", job.rate)
	if not session then fail ("session not created") end
	local midi = ARDOUR.ChanCount (ARDOUR.DataType ("midi"), 1)
	local tracks
	if plugin.is_generator then
		tracks = session:new_audio_track (2, 2, nil, plugin.tracks, "track", ARDOUR.PresentationInfo.max_order,
			ARDOUR.TrackMode.Normal, true)
		local generator = ARDOUR.LuaAPI.new_plugin (session, plugin.uri, ARDOUR.PluginType.LV2, "")
		if tracks:front ():add_processor_by_index (generator, 0, nil, true) ~= 0 then fail ("the generator is refused") end
	else
		tracks = session:new_midi_track (midi, midi, true, information (plugin.uri), nil, nil, plugin.tracks, "track",
			ARDOUR.PresentationInfo.max_order, ARDOUR.TrackMode.Normal, true)
	end
	if tracks:size () ~= plugin.tracks then fail ("no tracks") end
	local last
	for track in tracks:iter () do
		last = track
		local processor = track:nth_plugin (0)
		if processor:isnil () then fail ("no plugin") end
		if plugin.preset then
			local preset = processor:to_insert ():plugin (0):preset_by_uri (plugin.preset)
			if not preset or not preset.valid then fail ("no preset", plugin.preset) end
			processor:to_insert ():plugin (0):load_preset (preset)
		end
		track:panner_shell ():set_bypassed (true)
	end
	if plugin.effect then
		local effect = ARDOUR.LuaAPI.new_plugin (session, plugin.effect, ARDOUR.PluginType.LV2, "")
		if effect:isnil () then fail ("no plugin", plugin.effect) end
		-- Behind the instrument.
		if last:add_processor_by_index (effect, 1, nil, true) ~= 0 then fail ("the effect is refused") end
	end
	if plugin.bus then
		local bus = session:new_audio_route (2, 2, nil, 1, "bus", ARDOUR.PresentationInfo.Flag.AudioBus,
			ARDOUR.PresentationInfo.max_order):front ()
		local effect = ARDOUR.LuaAPI.new_plugin (session, plugin.bus, ARDOUR.PluginType.LV2, "")
		if effect:isnil () then fail ("no plugin", plugin.bus) end
		if bus:add_processor_by_index (effect, 0, nil, true) ~= 0 then fail ("the bus refuses the effect") end
		-- Behind the fader.
		session:add_internal_send (bus, last:main_outs (), last)
		local send = last:nth_send (0)
		if send:isnil () then fail ("no send") end
		send:to_send ():gain_control ():set_value (1, PBD.GroupControlDisposition.NoGroup)
	end
	sleep (job.settle)
	save (session)
	close_session ()
end

local function load ()
	local session = load_session (job.folder, "session")
	if not session then fail ("session not loaded") end
	if session:get_block_size () ~= job.cycle then fail ("the cycle has", session:get_block_size ()) end
	local track = session:route_by_name ("track")
	-- The first of several tracks.
	if track:isnil () then track = session:route_by_name ("track 1") end
	if track:isnil () or track:nth_plugin (0):isnil () then fail ("no track with a plugin") end
	sleep (job.settle)
	return session, track
end

local function export (part)
	local session = load ()
	if part.ready then
		io.open (part.ready, "w"):close ()
		repeat
			sleep (0.1)
			local go = io.open (part.go)
		until go
	end
	local export = session:simple_export ()
	if not export:set_preset (job.format) then fail ("no export preset") end
	export:set_folder (part.folder)
	export:set_name (part.name)
	export:set_range (0, part.frames)
	if not export:check_outputs () then fail ("no outputs to export") end
	if not export:run_export () then fail ("export") end
	if part.save then save (session) end
	close_session ()
end

-- Writes lines of a frame and the highest level since the line before, in dBFS, until the file `stop` exists.
local function play (part)
	local session, track = load ()
	session:goto_start (true)
	local levels = io.open (part.levels, "w")
	levels:setvbuf ("line")
	while true do
		sleep (0.1)
		local meter = track:peak_meter ()
		-- The first channel is MIDI.
		levels:write (session:transport_sample (), " ", meter:meter_level (1, ARDOUR.MeterType.MeterMaxPeak), "\n")
		meter:reset_max ()
		local stop = io.open (part.stop)
		if stop then
			stop:close ()
			break
		end
	end
	close_session ()
end

-- Gives JACK tempo and meter until it is ended.
local function lead (part)
	local session = load ()
	-- Ardour asks for it before it has the session, which has no effect.
	session:cfg ():set_jack_time_master (false)
	session:cfg ():set_jack_time_master (true)
	io.open (part.ready, "w"):close ()
	while true do sleep (1) end
end

if job.list then list (job.list) end
if job.create then create (job.create) end
if job.export then export (job.export) end
if job.play then play (job.play) end
if job.lead then lead (job.lead) end
print ("job: done")
quit ()
