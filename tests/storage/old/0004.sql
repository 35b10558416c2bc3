BEGIN TRANSACTION;
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
	at_most DOUBLE, 
	CONSTRAINT pk_constraints PRIMARY KEY (study_id, position), 
	CONSTRAINT fk_constraints_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
CREATE TABLE counsel_schema (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT counsel_schema_pkc PRIMARY KEY (version_num)
);
INSERT INTO "counsel_schema" VALUES('0004');
CREATE TABLE decisions (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	proposal TEXT NOT NULL, 
	decision TEXT NOT NULL, 
	point TEXT, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_decisions PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_decisions_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT fk_decisions_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "decisions" VALUES(1,2,'p1','accept',NULL,'fine');
INSERT INTO "decisions" VALUES(1,5,'p2','override','{"lifting": 20.0, "mode": "soft"}','too stiff');
INSERT INTO "decisions" VALUES(1,8,'p3','reject',NULL,'unsafe');
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
	total DOUBLE NOT NULL, 
	CONSTRAINT pk_explanation_terms PRIMARY KEY (study_id, number, term), 
	CONSTRAINT fk_explanation_terms_study_id_number FOREIGN KEY(study_id, number) REFERENCES explanations (study_id, number) ON DELETE CASCADE
);
INSERT INTO "explanation_terms" VALUES(1,1,'exploitation',0,'exact',1.0,0.75);
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
	note TEXT NOT NULL, 
	CONSTRAINT pk_explanations PRIMARY KEY (study_id, number), 
	CONSTRAINT fk_explanations_actor FOREIGN KEY(actor) REFERENCES people (name), 
	CONSTRAINT fk_explanations_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE, 
	CONSTRAINT fk_explanations_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
INSERT INTO "explanations" VALUES(1,1,NULL,'ann','2026-11-16 18:02:55.376058','{"lifting": 20.0, "mode": "soft"}','{}','the whole space',4,'');
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
INSERT INTO "facts" VALUES(1,1,'p1','proposal',NULL,'2026-11-16 18:02:55.230225','ba092b5021024f71b7f6a2c8e20268ac','3760799867a0d65c68649c187474dd4d','6e1d4709e21d26f30ada09dd0eb320cd2b3f6b70bded2970c16d92ae59a2347c');
INSERT INTO "facts" VALUES(1,2,'d1','decision','ann','2026-11-16 18:02:55.253058','7f8dbe989cda4e608799dc4f7deccbaa','86ffe542c6fa79d9a20c31ae48164756','394e332988788629b5fc0afbd44d0a1778096c5c25b07575997c1d4c3da21d46');
INSERT INTO "facts" VALUES(1,3,'o1','observation','ann','2026-11-16 18:02:55.271932','5c32056d842a4063b960afaf535c0b74','144d73259b8dd6b119718a9caaa4f2ac','84fb77e7be51eab44956e6906f71760019f9c7e493fd635a6244abf8ebad0ba7');
INSERT INTO "facts" VALUES(1,4,'p2','proposal',NULL,'2026-11-16 18:02:55.283811','8631f1fd942248afbfeee7eca03b172b','3760799867a0d65c68649c187474dd4d','2063992702624f090f57a02190b65ffaeda8cfbfd702df697f7654b6eb676d35');
INSERT INTO "facts" VALUES(1,5,'d2','decision','bob','2026-11-16 18:02:55.296410','2c144c873a9d4349a37f9a1adda47748','b74ce981d291bc49cb142f1cf0a5d227','e86f3732c9c142858536a7ff6ae6f237ad83014bdf9889d01168e0037be8278b');
INSERT INTO "facts" VALUES(1,6,'o2','observation','bob','2026-11-16 18:02:55.308055','f0abf65f02d347eca07a04f1cc4854f3','1ac443a8425cd3b474a66dcd8a67b30e','094c1b022fd0ba9c9794ebebf115b1c8c6de928c6a12d28e7dc710754a2ec716');
INSERT INTO "facts" VALUES(1,7,'p3','proposal',NULL,'2026-11-16 18:02:55.311285','35f9908692104b70a9fcc2b4639e1c0e','3760799867a0d65c68649c187474dd4d','17598c037f0b7b6b86481d6229ab235e2a743279fe8c798c7d5a5ca981ba8bc3');
INSERT INTO "facts" VALUES(1,8,'d3','decision','ann','2026-11-16 18:02:55.321225','3b5d23a43b774de9b1244cdf00fcfc9b','b740c7c4e1204f5fe73b6ea49a05b6cd','fb97da4b22cd4ae9a1d96709bee5dd800100a107a60aedc589f1839f241fb5b0');
INSERT INTO "facts" VALUES(1,9,'p4','proposal',NULL,'2026-11-16 18:02:55.332023','a9bca14f10684c91b2f4f3cc886ad421','3760799867a0d65c68649c187474dd4d','02fc57171d5539826141e7b5ad3667e257af9881f0bbbc18f4db663c88e769c5');
INSERT INTO "facts" VALUES(1,10,'o3','observation','bob','2026-11-16 18:02:55.347670','d884eb5030d84b0ab2f3b35e2003d87e','6526ad3cc0c6b56e75398ecdd6727ac2','719890a8657e380a6b1db7802b525105f84d89403569da684d8d543d9f45fc0b');
INSERT INTO "facts" VALUES(1,11,'c1','comparison','ann','2026-11-16 18:02:55.355490','606ef745fc3b43b9838a49cbae5af7ff','bd0332e1d7ebd5699e794c827590e521','f8a40c670737b1f7ddfd0f4401bfc3a864bddd5109270568b98720313cdebbf4');
INSERT INTO "facts" VALUES(1,12,'r1','revision','ann','2026-11-16 18:02:55.363548','0d579c38271740009374df0a867d8800','7fedf0dd64e05688c2e4ea2aca0d435e','9dd08fbaca3660cb4a8c936efa9f85e8d67e7c32c0073efadda23b89b351348d');
INSERT INTO "facts" VALUES(1,13,'w1','withdrawal','bob','2026-11-16 18:02:55.376058','a3bb88f81ea549d19172ca405c3b8f1a','8bae379bcadf8bddd2fa8e5613c2e1e9','eacee107af356ba8ef932ab0edf2542f717ad2c68e543d7eef0c811af390fd99');
CREATE TABLE leases (
	study_id INTEGER NOT NULL, 
	proposal TEXT NOT NULL, 
	actor TEXT NOT NULL, 
	until DATETIME NOT NULL, 
	CONSTRAINT pk_leases PRIMARY KEY (study_id, proposal), 
	CONSTRAINT fk_leases_actor FOREIGN KEY(actor) REFERENCES people (name), 
	CONSTRAINT fk_leases_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "leases" VALUES(1,'p4','ann','2026-11-16 18:03:55.379674');
CREATE TABLE observations (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	proposal TEXT, 
	point TEXT NOT NULL, 
	context TEXT NOT NULL, 
	CONSTRAINT pk_observations PRIMARY KEY (study_id, place), 
	CONSTRAINT fk_observations_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE, 
	CONSTRAINT fk_observations_study_id_proposal FOREIGN KEY(study_id, proposal) REFERENCES facts (study_id, id) ON DELETE CASCADE
);
INSERT INTO "observations" VALUES(1,3,'p1','{"lifting": 38.50704755017371, "mode": "stiff"}','{}');
INSERT INTO "observations" VALUES(1,6,'p2','{"lifting": 20.0, "mode": "soft"}','{}');
INSERT INTO "observations" VALUES(1,10,NULL,'{"lifting": 3.0, "mode": "stiff"}','{}');
CREATE TABLE outcomes (
	study_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	value DOUBLE NOT NULL, 
	CONSTRAINT pk_outcomes PRIMARY KEY (study_id, place, name), 
	CONSTRAINT fk_outcomes_study_id_place FOREIGN KEY(study_id, place) REFERENCES facts (study_id, place) ON DELETE CASCADE
);
INSERT INTO "outcomes" VALUES(1,3,'comfort',0,1.0);
INSERT INTO "outcomes" VALUES(1,6,'comfort',0,2.0);
INSERT INTO "outcomes" VALUES(1,10,'comfort',0,0.5);
INSERT INTO "outcomes" VALUES(1,12,'comfort',0,1.5);
CREATE TABLE people (
	name TEXT NOT NULL, 
	since DATETIME NOT NULL, 
	CONSTRAINT pk_people PRIMARY KEY (name)
);
INSERT INTO "people" VALUES('ann','2026-11-16 18:02:55.253058');
INSERT INTO "people" VALUES('bob','2026-11-16 18:02:55.296410');
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
	created DATETIME NOT NULL, 
	CONSTRAINT uq_studies_name UNIQUE (name)
);
INSERT INTO "studies" VALUES(1,'kept','comfort','maximize','{"type": "space", "parameters": [{"name": "lifting", "type": "float", "low": 0.0, "high": 50.0, "log": false}, {"name": "mode", "type": "categorical", "choices": ["soft", "stiff"]}], "context": []}','random','{"type": "counsel.policies.random:Random", "fields": {"name": "random"}}',7,'2026-11-16 18:02:55.174099');
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
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('studies',1);
COMMIT;
