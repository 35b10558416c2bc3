BEGIN TRANSACTION;
CREATE TABLE amendments (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	space TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_amendments PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_amendments_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
CREATE TABLE comparisons (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	winner TEXT NOT NULL, 
	loser TEXT NOT NULL, 
	tie BOOLEAN NOT NULL, 
	context TEXT NOT NULL, 
	winner_proposal TEXT, 
	loser_proposal TEXT, 
	CONSTRAINT pk_comparisons PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_comparisons_study_id_loser_proposal FOREIGN KEY(study_id, loser_proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_comparisons_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT fk_comparisons_study_id_winner_proposal FOREIGN KEY(study_id, winner_proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "comparisons" VALUES(1,11,'{"lifting": 38.50704755017371, "mode": "stiff"}','{"lifting": 20.0, "mode": "soft"}',0,'{}','p1','p2');
CREATE TABLE constraints (
	study_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	at_least DOUBLE, 
	at_most DOUBLE, answer TEXT, levels INTEGER, cost DOUBLE, 
	CONSTRAINT pk_constraints PRIMARY KEY (study_id, position), 
	CONSTRAINT fk_constraints_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
CREATE TABLE counsel_grants (
	token_id TEXT NOT NULL, 
	study_id INTEGER NOT NULL, 
	role TEXT NOT NULL, 
	CONSTRAINT pk_counsel_grants PRIMARY KEY (token_id, study_id), 
	CONSTRAINT fk_counsel_grants_token_id FOREIGN KEY(token_id) REFERENCES counsel_tokens (id) ON DELETE CASCADE, 
	CONSTRAINT fk_counsel_grants_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
CREATE TABLE counsel_schema (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT counsel_schema_pkc PRIMARY KEY (version_num)
);
INSERT INTO "counsel_schema" VALUES('0009');
CREATE TABLE counsel_tokens (
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	role TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	created DATETIME NOT NULL, 
	expires DATETIME, 
	revoked DATETIME, 
	CONSTRAINT pk_counsel_tokens PRIMARY KEY (id)
);
CREATE TABLE creations (
	request TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	study_id INTEGER NOT NULL, 
	CONSTRAINT pk_creations PRIMARY KEY (request), 
	CONSTRAINT fk_creations_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
CREATE TABLE decisions (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	proposal TEXT NOT NULL, 
	decision TEXT NOT NULL, 
	point TEXT, 
	reason TEXT NOT NULL, radius DOUBLE, 
	CONSTRAINT pk_decisions PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_decisions_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT fk_decisions_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "decisions" VALUES(1,2,'p1','accept',NULL,'fine',NULL);
INSERT INTO "decisions" VALUES(1,5,'p2','override','{"lifting": 20.0, "mode": "soft"}','too stiff',NULL);
INSERT INTO "decisions" VALUES(1,8,'p3','reject',NULL,'unsafe',0.05);
CREATE TABLE explanation_parts (
	study_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	term TEXT NOT NULL, 
	parameter TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	value DOUBLE NOT NULL, 
	error DOUBLE NOT NULL, 
	CONSTRAINT pk_explanation_parts PRIMARY KEY (study_id, number, term, parameter), 
	CONSTRAINT fk_explanation_parts_study_id_number FOREIGN KEY(study_id, number) REFERENCES explanations (study_id, number) ON DELETE CASCADE
);
INSERT INTO "explanation_parts" VALUES(1,1,'exploitation','lifting',0,0.25,0.0);
INSERT INTO "explanation_parts" VALUES(1,1,'exploitation','mode',1,-0.5,0.0);
CREATE TABLE explanation_terms (
	study_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	term TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	method TEXT NOT NULL, 
	base DOUBLE NOT NULL, 
	total DOUBLE NOT NULL, log_weight DOUBLE DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_explanation_terms PRIMARY KEY (study_id, number, term), 
	CONSTRAINT fk_explanation_terms_study_id_number FOREIGN KEY(study_id, number) REFERENCES explanations (study_id, number) ON DELETE CASCADE
);
INSERT INTO "explanation_terms" VALUES(1,1,'exploitation',0,'exact',1.0,0.75,0.0);
CREATE TABLE explanations (
	study_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	proposal TEXT, 
	actor TEXT NOT NULL, 
	time DATETIME NOT NULL, 
	point TEXT NOT NULL, 
	context TEXT NOT NULL, 
	background TEXT NOT NULL, 
	evaluations BIGINT NOT NULL, 
	note TEXT NOT NULL, instead_of TEXT, 
	CONSTRAINT pk_explanations PRIMARY KEY (study_id, number), 
	CONSTRAINT fk_explanations_actor FOREIGN KEY(actor) REFERENCES people (name), 
	CONSTRAINT fk_explanations_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_explanations_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
INSERT INTO "explanations" VALUES(1,1,NULL,'ann','2026-11-17 09:44:25.165884','{"lifting": 20.0, "mode": "soft"}','{}','the whole space',4,'',NULL);
CREATE TABLE facts (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	actor TEXT, 
	time DATETIME NOT NULL, 
	request TEXT NOT NULL, 
	digest TEXT NOT NULL, link TEXT, 
	CONSTRAINT pk_facts PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_facts_actor FOREIGN KEY(actor) REFERENCES people (name), 
	CONSTRAINT fk_facts_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE, 
	CONSTRAINT uq_facts_study_id_id UNIQUE (study_id, id), 
	CONSTRAINT uq_facts_study_id_request UNIQUE (study_id, request)
);
INSERT INTO "facts" VALUES(1,1,'p1','proposal',NULL,'2026-11-17 09:44:24.560542','205d2e7579694316bedbeabee9dad05c','3760799867a0d65c68649c187474dd4d','691fe4b1b8c538fd86a863f3b25aceb08d20550c2181073c23c725a38a230826');
INSERT INTO "facts" VALUES(1,2,'d1','decision','ann','2026-11-17 09:44:24.623264','d71cce5280d44fe99b8dbdb17ff31fb2','86ffe542c6fa79d9a20c31ae48164756','6856f71c055b5c5412535d4863358b5ca6d5a1a77261fa9127893f970c4d7d48');
INSERT INTO "facts" VALUES(1,3,'o1','observation','ann','2026-11-17 09:44:24.690534','5f81e422421442369111639930c3a94d','144d73259b8dd6b119718a9caaa4f2ac','1da1c415817c22a7d408e9e1f6b8d82d4762bc67059349bbaa866e12073f01a9');
INSERT INTO "facts" VALUES(1,4,'p2','proposal',NULL,'2026-11-17 09:44:24.744906','9671f727f2fc4bf8816a9ba0793dfc91','3760799867a0d65c68649c187474dd4d','bc6fc7d3cc9c447ae83f30a093fb445a0fbe72c5b03b673ac4c35b56829228e3');
INSERT INTO "facts" VALUES(1,5,'d2','decision','bob','2026-11-17 09:44:24.792812','95b305d5526446989137b57b768f9e6c','b74ce981d291bc49cb142f1cf0a5d227','70d57b628e6aa18cbfb520f6d2ac6cfbad171c0333a7c55030ae863b18e66359');
INSERT INTO "facts" VALUES(1,6,'o2','observation','bob','2026-11-17 09:44:24.827151','ca77ed5923f44931bb25d8590f616761','1ac443a8425cd3b474a66dcd8a67b30e','c1e16ce5a78879569ccb44531ff8d68a0d6c2c87d2e250868b5cf3c1eb225d1d');
INSERT INTO "facts" VALUES(1,7,'p3','proposal',NULL,'2026-11-17 09:44:24.877989','8097cc11372e44f3a5ee1101b57a2631','3760799867a0d65c68649c187474dd4d','d2088bb9fb7cb883f7a15b23d6679d7d046a17a1aeac2be89d43ca04d20392e4');
INSERT INTO "facts" VALUES(1,8,'d3','decision','ann','2026-11-17 09:44:24.957922','56a23183943b4e2bbc6f67137d24e0aa','291fd98d41e83154ffbb2a62f70548c1','5048c22d33b71240ac3a88bba3fd71ed8e5d1cfc665a991763fb3a8c6d24511f');
INSERT INTO "facts" VALUES(1,9,'p4','proposal',NULL,'2026-11-17 09:44:25.002162','8dd6dcf766af448eb9c173a4837d4ff5','3760799867a0d65c68649c187474dd4d','2ec44f2e065d6e5f9c37d7f883e11eb9a79120a46cbc7ecd8537a5431458baa2');
INSERT INTO "facts" VALUES(1,10,'o3','observation','bob','2026-11-17 09:44:25.045530','4ac04b2194c448f08369f14e1900bab6','6526ad3cc0c6b56e75398ecdd6727ac2','cc6513b2d976e585ce132489fa29a7adb1e17ba92d05149d938295071112d194');
INSERT INTO "facts" VALUES(1,11,'c1','comparison','ann','2026-11-17 09:44:25.079165','3477c40a912e415881a4fd3f4555d7a8','bd0332e1d7ebd5699e794c827590e521','872fac9e266e21ab74f100f6b239db0cdeaa8456b8f93a1517ad49e9e4413d1e');
INSERT INTO "facts" VALUES(1,12,'r1','revision','ann','2026-11-17 09:44:25.112536','aa5aa474308b4265a1f2187123c55fe1','7fedf0dd64e05688c2e4ea2aca0d435e','988eaf9be92e48b3798fe9c23ca88f94462362be902f89ebd704db56075a0ede');
INSERT INTO "facts" VALUES(1,13,'w1','withdrawal','bob','2026-11-17 09:44:25.165884','4eb05e69006a47cd99c8bb5d634ec64d','8bae379bcadf8bddd2fa8e5613c2e1e9','be04851946310f90e7671f91ad595ac7244b28263b3257f3e376713535de7290');
CREATE TABLE failures (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	proposal TEXT, 
	point TEXT NOT NULL, 
	context TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_failures PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_failures_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_failures_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
CREATE TABLE leases (
	study_id INTEGER NOT NULL, 
	proposal TEXT NOT NULL, 
	actor TEXT NOT NULL, 
	until DATETIME NOT NULL, 
	CONSTRAINT pk_leases PRIMARY KEY (study_id, proposal), 
	CONSTRAINT fk_leases_actor FOREIGN KEY(actor) REFERENCES people (name), 
	CONSTRAINT fk_leases_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "leases" VALUES(1,'p4','ann','2026-11-17 09:45:25.198238');
CREATE TABLE observations (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	proposal TEXT, 
	point TEXT NOT NULL, 
	context TEXT NOT NULL, label TEXT, 
	CONSTRAINT pk_observations PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_observations_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT fk_observations_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "observations" VALUES(1,3,'p1','{"lifting": 38.50704755017371, "mode": "stiff"}','{}',NULL);
INSERT INTO "observations" VALUES(1,6,'p2','{"lifting": 20.0, "mode": "soft"}','{}',NULL);
INSERT INTO "observations" VALUES(1,10,NULL,'{"lifting": 3.0, "mode": "stiff"}','{}',NULL);
CREATE TABLE outcomes (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	value DOUBLE NOT NULL, sem DOUBLE, 
	CONSTRAINT pk_outcomes PRIMARY KEY (study_id, place, name), 
	CONSTRAINT fk_outcomes_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
INSERT INTO "outcomes" VALUES(1,3,'comfort',0,1.0,NULL);
INSERT INTO "outcomes" VALUES(1,6,'comfort',0,2.0,NULL);
INSERT INTO "outcomes" VALUES(1,10,'comfort',0,0.5,NULL);
INSERT INTO "outcomes" VALUES(1,12,'comfort',0,1.5,NULL);
CREATE TABLE people (
	name TEXT NOT NULL, 
	since DATETIME NOT NULL, 
	CONSTRAINT pk_people PRIMARY KEY (name)
);
INSERT INTO "people" VALUES('ann','2026-11-17 09:44:24.623264');
INSERT INTO "people" VALUES('bob','2026-11-17 09:44:24.792812');
CREATE TABLE proposals (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	point TEXT NOT NULL, 
	context TEXT NOT NULL, 
	asks TEXT NOT NULL, 
	mean DOUBLE, 
	sd DOUBLE, 
	terms TEXT NOT NULL, 
	policy TEXT NOT NULL, 
	theta TEXT NOT NULL, 
	seen INTEGER NOT NULL, 
	note TEXT NOT NULL, chances TEXT DEFAULT '{}' NOT NULL, 
	CONSTRAINT pk_proposals PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_proposals_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT uq_proposals_study_id_round UNIQUE (study_id, round)
);
INSERT INTO "proposals" VALUES(1,1,1,'{"lifting": 38.50704755017371, "mode": "stiff"}','{}','[]',NULL,NULL,'{}','random','[]',0,'','{}');
INSERT INTO "proposals" VALUES(1,4,2,'{"lifting": 13.89851410967905, "mode": "stiff"}','{}','[]',NULL,NULL,'{}','random','[]',3,'','{}');
INSERT INTO "proposals" VALUES(1,7,3,'{"lifting": 48.75167768597507, "mode": "soft"}','{}','[]',NULL,NULL,'{}','random','[]',6,'','{}');
INSERT INTO "proposals" VALUES(1,9,4,'{"lifting": 10.22342622200265, "mode": "stiff"}','{}','[]',NULL,NULL,'{}','random','[]',8,'','{}');
CREATE TABLE revisions (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	observation TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_revisions PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_revisions_study_id_observation FOREIGN KEY(study_id, observation) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_revisions_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
INSERT INTO "revisions" VALUES(1,12,'o1','read the wrong line');
CREATE TABLE studies (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	name TEXT NOT NULL, 
	objective TEXT NOT NULL, 
	direction TEXT NOT NULL, 
	space TEXT NOT NULL, 
	policy_name TEXT NOT NULL, 
	policy TEXT NOT NULL, 
	seed BIGINT NOT NULL, 
	created DATETIME NOT NULL, seal TEXT, 
	CONSTRAINT uq_studies_name UNIQUE (name)
);
INSERT INTO "studies" VALUES(1,'kept','comfort','maximize','{"type": "space", "parameters": [{"name": "lifting", "type": "float", "low": 0.0, "high": 50.0, "log": false}, {"name": "mode", "type": "categorical", "choices": ["soft", "stiff"]}], "context": []}','random','{"tag": "random", "settings": {"name": "random"}}',7,'2026-11-17 09:44:24.333677','93d299dcc02ef29bc609600a4c7e146e8f323bfcd11840e796423812f31a68ce');
CREATE TABLE withdrawals (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	fact TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_withdrawals PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_withdrawals_study_id_fact FOREIGN KEY(study_id, fact) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_withdrawals_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
INSERT INTO "withdrawals" VALUES(1,13,'o3','');
CREATE INDEX ix_decisions_study_id_proposal ON decisions (study_id, proposal);
CREATE INDEX ix_observations_study_id_proposal ON observations (study_id, proposal);
CREATE INDEX ix_comparisons_study_id_winner_proposal ON comparisons (study_id, winner_proposal);
CREATE INDEX ix_comparisons_study_id_loser_proposal ON comparisons (study_id, loser_proposal);
CREATE INDEX ix_revisions_study_id_observation ON revisions (study_id, observation);
CREATE INDEX ix_withdrawals_study_id_fact ON withdrawals (study_id, fact);
CREATE INDEX ix_explanations_study_id_proposal ON explanations (study_id, proposal);
CREATE INDEX ix_failures_study_id_proposal ON failures (study_id, proposal);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('studies',1);
COMMIT;
